// Texts with placeholders such as {name}.
const placeholder = /\{([a-z]{1,32})\}/g;

/** Fills in each placeholder once: braces in a value stay what they are. */
export function fillText(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ''));
}

export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name]) => name!);
}
