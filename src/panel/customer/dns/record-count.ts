// A number of records in words.
export function recordCountText(number: number): string {
  return number === 1 ? '1 record' : `${number.toLocaleString('en-GB')} records`;
}
