// A number of records in words.
import { tCount } from '../../text/text.ts';

export function recordCountText(count: number): string {
  return tCount(count, { one: '{count} record', other: '{count} records' });
}
