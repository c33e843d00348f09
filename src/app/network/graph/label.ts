// Renders chart text as paths, with a font of our own, so that the fonts of the machine cannot change a chart.
import { type FontWeight, fontFile } from '#lib/fonts.ts';
import { type Font, openFont } from './font.ts';

export interface LabelStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour: string;
  readonly size?: number;
  readonly weight?: FontWeight;
}

const openFonts = new Map<FontWeight, Font>();

/** `anchor` determines whether the baseline starts, is centred or ends at the position. */
export function label(x: number, y: number, text: string, style: LabelStyle): string {
  const { anchor = 'start', colour, size = 12, weight = 'regular' } = style;
  const font = getFont(weight);
  const { path, width } = font.outline(text);
  const scale = size / font.unitsPerEm;
  const left = x - width * scale * { start: 0, middle: 0.5, end: 1 }[anchor];
  const transform = `translate(${left.toFixed(2)} ${y.toFixed(2)}) scale(${scale} ${-scale})`;
  return `<path transform="${transform}" fill="${colour}" d="M0 0${path}"/>`;
}

/** Truncates text with an ellipsis to fit. */
export function truncateToFit(text: string, limit: { readonly width: number; readonly size: number }): string {
  const font = getFont('semibold');
  const maxWidth = (limit.width / limit.size) * font.unitsPerEm;
  if (font.outline(text).width <= maxWidth) return text;
  const characters = [...text];
  while (characters.length > 0 && font.outline(`${characters.join('')}…`).width > maxWidth) characters.pop();
  return `${characters.join('')}…`;
}

function getFont(weight: FontWeight): Font {
  const font = openFonts.get(weight) ?? openFont(fontFile(weight));
  openFonts.set(weight, font);
  return font;
}
