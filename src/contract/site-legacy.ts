// When the legacy interface ends, as the provider's customers are to be told in every answer of it.
import { Type } from 'typebox';
import { Day } from './site-billing.ts';

export const SiteLegacy = Type.Object(
  {
    /** From when on programs should move to version 2; may lie ahead. */
    deprecated: Day,
    /** After which it may answer no more. */
    sunset: Type.Optional(Day),
    /** A page that tells customers more; the API reference unless told. */
    page: Type.Optional(
      Type.String({
        pattern: '^https?://[\\x21\\x23-\\x3b\\x3d\\x3f-\\x7e]+$',
        maxLength: 500,
        'x-reason': 'must be the URL of a page',
      }),
    ),
  },
  { additionalProperties: false },
);
