/** Set by `npm test -- --long`. */
export const isLongRun = process.env['HOSTYARD_TEST_LONG'] !== undefined;
