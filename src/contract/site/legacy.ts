// The end of the legacy API, which every legacy response announces.
import { Type } from 'typebox';
import * as p from '../parameters.ts';
import { Day } from './billing.ts';

export const SiteLegacy = p.StrictObject({
  /** When programs should have moved to version 2; may be in the future. */
  deprecated: Day,
  /** After this day it may stop responding. */
  sunset: Type.Optional(Day),
  /** A page with more information for customers; the API reference by default. */
  page: Type.Optional(
    Type.String({
      pattern: '^https?://[\\x21\\x23-\\x3b\\x3d\\x3f-\\x7e]+$',
      maxLength: 500,
      'x-reason': 'must be the URL of a page',
    }),
  ),
});
