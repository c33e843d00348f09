// How the panel looks: one accent, quiet surfaces, numbers that stand under each other.
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const yard: MantineColorsTuple = [
  '#e3fafc',
  '#c5f0f4',
  '#99e2ea',
  '#66d1dd',
  '#3bbfce',
  '#1aa7b8',
  '#0c8599',
  '#0b7285',
  '#095c6b',
  '#07454f',
];

export const theme = createTheme({
  primaryColor: 'yard',
  // Dark enough for white text on it (WCAG AA), light enough to be seen on a dark page.
  primaryShade: { light: 7, dark: 7 },
  colors: { yard },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, multiline: true, maw: 320 } },
    // Also where it stands on a card.
    Code: { defaultProps: { color: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-8))' } },
    Card: { defaultProps: { withBorder: true, padding: 'md' } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
