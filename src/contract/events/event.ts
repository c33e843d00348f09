// Declares a type of event.
import type { TSchema } from 'typebox';

export function event<Data extends TSchema>(summary: string, data: Data) {
  return { version: 1, summary, data } as const;
}
