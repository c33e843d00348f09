// Text of a chart as a path, with the one font that comes along: no font of the machine can change a chart.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Font, openFont } from './font.ts';

export interface LabelStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour: string;
  readonly size?: number;
  readonly weight?: 'regular' | 'semibold';
}

const faces = {
  regular: '400Regular/IBMPlexSans_400Regular.ttf',
  semibold: '600SemiBold/IBMPlexSans_600SemiBold.ttf',
} as const;
const opened = new Map<keyof typeof faces, Font>();

/** The baseline begins, has its middle or ends at the place. */
export function label(x: number, y: number, words: string, style: LabelStyle): string {
  const { anchor = 'start', colour, size = 12, weight = 'regular' } = style;
  const font = face(weight);
  const { path, width } = font.outline(words);
  const scale = size / font.unitsPerEm;
  const left = x - width * scale * { start: 0, middle: 0.5, end: 1 }[anchor];
  const place = `translate(${left.toFixed(2)} ${y.toFixed(2)}) scale(${scale} ${-scale})`;
  return `<path transform="${place}" fill="${colour}" d="M0 0${path}"/>`;
}

/** Cut to what fits, with an ellipsis. */
export function fitting(words: string, most: { readonly width: number; readonly size: number }): string {
  const font = face('semibold');
  const room = (most.width / most.size) * font.unitsPerEm;
  if (font.outline(words).width <= room) return words;
  const characters = [...words];
  while (characters.length > 0 && font.outline(`${characters.join('')}…`).width > room) characters.pop();
  return `${characters.join('')}…`;
}

function face(weight: keyof typeof faces): Font {
  let font = opened.get(weight);
  if (font === undefined) {
    const file = import.meta.resolve(`@expo-google-fonts/ibm-plex-sans/${faces[weight]}`);
    font = openFont(readFileSync(fileURLToPath(file)));
    opened.set(weight, font);
  }
  return font;
}
