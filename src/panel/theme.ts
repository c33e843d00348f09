// The Mantine theme: one accent colour and component defaults.
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const brand: MantineColorsTuple = [
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
  primaryColor: 'brand',
  // Dark enough for white text (WCAG AA), light enough to be visible on a dark page.
  primaryShade: { light: 7, dark: 7 },
  colors: { brand },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, multiline: true, maw: 320 } },
    // Visible on a card as well as on the page.
    Code: { defaultProps: { color: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-8))' } },
    Card: { defaultProps: { withBorder: true, padding: 'md' } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
