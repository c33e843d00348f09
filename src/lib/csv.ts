// Writes CSV as RFC 4180 describes it.

/**
 * Spreadsheets compute a field that begins like a formula, and customers choose some of the texts: an apostrophe in front
 * keeps it text. Numbers stay as they are.
 */
function csvField(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?[0-9]+(?:\.[0-9]+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}
