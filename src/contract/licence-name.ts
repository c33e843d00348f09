// Licence names. The price list uses names such as DEDICATED_PANEL4_10_POWERPACK, for which a provider can give others.

/** Returns the type of a service as licences name it. */
export function licenceType({ type }: { readonly type: string }): 'Dedicated' | 'VPS' {
  return type === 'dedicated' ? 'Dedicated' : 'VPS';
}

export function licenceLabel({ label, license }: { readonly label: string; readonly license: string }): string {
  return label === '' ? licenceName(license) : label;
}

/** Returns the name without the service type, which is known from the context: `Panel4 10 Powerpack`. */
export function licenceName(license: string): string {
  const [, ...words] = license.split('_');
  return (words.length === 0 ? [license] : words).map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join(' ');
}
