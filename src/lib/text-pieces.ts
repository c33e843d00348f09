// Divides long text, so that other requests run while it is converted: a megabyte takes milliseconds.
import { pauseWork } from './slices.ts';

export const charactersPerPiece = 65_536;

/** A character that is a pair of surrogates is not divided. */
export function* textPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const next = start + charactersPerPiece;
    const end = (text.codePointAt(next - 1) ?? 0) > 0xffff ? next + 1 : next;
    yield text.slice(start, end);
    start = end;
  }
}

/** Returns the texts in UTF-8. */
export async function encodeInPieces(texts: readonly string[]): Promise<Buffer[]> {
  const encoded: Buffer[] = [];
  let thisTurn = 0;
  for (const text of texts)
    for (const piece of textPieces(text)) {
      if (thisTurn >= charactersPerPiece) {
        await pauseWork('outside a transaction');
        thisTurn = 0;
      }
      encoded.push(Buffer.from(piece));
      thisTurn += piece.length;
    }
  return encoded;
}
