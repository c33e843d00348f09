// Texts in responses.
import { Type } from 'typebox';

export const text = Type.String();
/** A text whose description is in the reference. */
export function described(description: string) {
  return Type.String({ description });
}
export function momentOrEmpty(description: string) {
  return described(`${description}; time in UTC, or empty`);
}
