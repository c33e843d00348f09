/** Set by `npm test -- --long`. */
export const isLongRun = process.env['HOSTYARD_TEST_LONG'] !== undefined;

/**
 * Returns all variants in long runs, and otherwise one, which depends on the place. For sweeps: code that all endpoints
 * share meets every variant somewhere, and each endpoint meets one.
 */
export function variantsAt<Variant>(place: number, variants: readonly Variant[]): readonly Variant[] {
  return isLongRun || variants.length === 0 ? variants : [variants[place % variants.length]!];
}
