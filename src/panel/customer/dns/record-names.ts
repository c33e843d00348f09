// Names as people write them in a zone: relative to it, or `@` for the zone itself. The interface wants them in full.

/** `www` for `www.example.net` in `example.net`. */
export function shortName(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** What was typed, in full. A name that ends like the zone, or in a dot, is full already. */
export function fullName(zone: string, typed: string): string {
  const name = typed.trim().toLowerCase();
  if (name === '' || name === '@') return zone;
  if (name.endsWith('.')) return name.slice(0, -1);
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
}
