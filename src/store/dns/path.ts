// The order of records within a zone.

/** Returns the name with its labels reversed, so that everything below a name is a range of an index. */
export function pathOf(name: string): string {
  return name.split('.').toReversed().join('.');
}
