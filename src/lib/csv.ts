// Writes CSV as RFC 4180 describes it.

const number = /^-?[0-9]+(?:\.[0-9]+)?$/;
/**
 * Where a field begins like a formula. Spreadsheets of many countries begin another one after a semicolon as well, and
 * read a doubled quote there as an empty text in front of it.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?="?[=+\-@\t\r＝＋－＠])/g;

/**
 * Spreadsheets compute formulas, and customers choose some of the texts: an apostrophe in front keeps them text. Numbers
 * stay as they are.
 */
function csvField(text: string): string {
  const safe = number.test(text) ? text : text.replaceAll(formulaStart, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}
