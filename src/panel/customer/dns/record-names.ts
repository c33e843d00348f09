// Converts record names between the relative form that people type, with `@` for the zone itself, and the absolute form
// of the API.

/** Returns `www` for `www.example.net` in the zone `example.net`. */
export function relativeName(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** Returns the absolute name. A name that ends in the zone name or in a dot is already absolute. */
export function absoluteName(zone: string, typed: string): string {
  const name = typed.trim().toLowerCase();
  if (name === '' || name === '@') return zone;
  if (name.endsWith('.')) return name.slice(0, -1);
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
}
