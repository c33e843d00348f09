// How many records, in words.
export function recordCount(number: number): string {
  return number === 1 ? '1 record' : `${number.toLocaleString('en-GB')} records`;
}
