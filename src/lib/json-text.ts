// Parts of results that are JSON text already, for lists of many thousand items: as objects they would live long enough
// to make the garbage collector stop all requests for tens of milliseconds.
import { pauseWork, type SlicePlace } from './slices.ts';
import { encodeInPieces } from './text-pieces.ts';

export class JsonText {
  /** Long text is not joined, because that would delay other requests. */
  readonly slices: readonly string[];
  /** How many results it is, if it is the whole result. */
  readonly count: number;
  #encoded: Promise<readonly Buffer[]> | undefined;
  constructor(text: string | readonly string[], count = 1) {
    this.slices = typeof text === 'string' ? [text] : text;
    this.count = count;
  }

  get text(): string {
    return this.slices.join('');
  }

  /** In UTF-8. Kept, because for a list that is cached the conversion takes longer than the rest of the call. */
  encode(): Promise<readonly Buffer[]> {
    return (this.#encoded ??= encodeInPieces(this.slices));
  }
}

/** A result in which lists may be JSON text. */
export type WithJsonText<T> = T extends readonly (infer Item)[]
  ? readonly WithJsonText<Item>[] | JsonText
  : T extends object
    ? { readonly [Name in keyof T]: WithJsonText<T[Name]> }
    : T;

const itemsPerSlice = 200;

/** Writes a list with one item per line. */
export async function jsonLines<T>(
  values: readonly T[],
  itemOf: (value: T) => object,
  place: SlicePlace,
): Promise<JsonText> {
  const slices: string[] = [];
  for (let start = 0; start < values.length; start += itemsPerSlice) {
    if (start > 0) await pauseWork(place);
    const slice = values.slice(start, start + itemsPerSlice);
    slices.push((start > 0 ? ',\n' : '[') + slice.map((value) => JSON.stringify(itemOf(value))).join(',\n'));
  }
  return new JsonText(slices.length > 0 ? [...slices, ']'] : '[]', values.length);
}

/** Returns lists of one item each, because JSON has no line breaks within an item. A text without any stays whole. */
export function splitJsonLines(text: string): string[] {
  return text
    .slice(1, -1)
    .split(',\n')
    .map((line) => `[${line}]`);
}
