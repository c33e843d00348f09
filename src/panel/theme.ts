// The Mantine theme: one accent colour, the type scale and component defaults.
import { createTheme, rem, type MantineColorsTuple } from '@mantine/core';
import { t } from './text/text.ts';

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

/** Levels that differ: page, frame, card, control, border. Slightly blue, as the brand colour is. */
const dark: MantineColorsTuple = [
  '#d8dce3',
  '#b9bfc9',
  '#8b929e',
  '#6c7480',
  '#343a45',
  '#2a303a',
  '#1c2028',
  '#14171d',
  '#0e1015',
  '#08090c',
];

export const theme = createTheme({
  primaryColor: 'brand',
  // Dark enough for white text (WCAG AA), light enough to be visible on a dark page.
  primaryShade: { light: 7, dark: 7 },
  colors: { brand, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", monospace',
  // Text is 14 px, and what belongs to it 12.5 px: smaller sizes of Inter are hard to read. Each heading is a clear step
  // above the next, but none is so large that it competes with the figures of a page.
  fontSizes: { xs: rem(12.5), sm: rem(14), md: rem(15), lg: rem(17), xl: rem(20) },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: rem(28), lineHeight: '1.2' },
      h2: { fontSize: rem(23), lineHeight: '1.25' },
      h3: { fontSize: rem(19), lineHeight: '1.3' },
      h4: { fontSize: rem(16.5), lineHeight: '1.35' },
      h5: { fontSize: rem(14.5), lineHeight: '1.4' },
      h6: { fontSize: rem(13), lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, multiline: true, maw: 320 } },
    // Visible on a card as well as on the page.
    Code: { defaultProps: { color: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-8))' } },
    Badge: { defaultProps: { tt: 'none' } },
    Card: { defaultProps: { withBorder: true, padding: 'md' } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    Notification: { defaultProps: { withBorder: true } },
    CloseButton: { defaultProps: { 'aria-label': t('Close') } },
  },
});
