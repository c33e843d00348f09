// The order of records within a zone.

/** Returns the name with its labels reversed, so that everything below a name is a range of an index. */
export function pathOf(name: string): string {
  return name.split('.').toReversed().join('.');
}

export function comparePaths(left: { readonly name: string }, right: { readonly name: string }): number {
  const [leftPath, rightPath] = [pathOf(left.name), pathOf(right.name)];
  return leftPath < rightPath ? -1 : Number(leftPath > rightPath);
}
