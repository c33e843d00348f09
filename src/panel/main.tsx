// Loads the language before the panel, because constants of its modules contain texts. scripts/panel.ts lets the page
// preload the panel, so that English waits for nothing.
import './component-styles.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './fonts.css';
import './panel.css';
import { loadLanguage } from './text/language.ts';

await loadLanguage();
await import('./app.tsx');
