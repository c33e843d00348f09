// Changes to a zone in the style of diff.
import type { ZoneDifference } from '#sdk/v2.ts';
import { stripControls } from './text.ts';

export function differenceText({ added, removed, serial }: ZoneDifference): string {
  const line = (mark: string, record: ZoneDifference['added'][number]): string =>
    stripControls(`${mark} ${record.name} ${record.ttl} ${record.type} ${record.content}`);
  const lines = [...removed.map((record) => line('-', record)), ...added.map((record) => line('+', record))];
  return `${[...lines, `serial ${serial}`].join('\n')}\n`;
}
