// A graph of a service's traffic: inbound above, outbound below, on one scale with the 95th percentile.
import type { TrafficSample } from '#sdk/v2.ts';
import { timeText, rateText } from './amounts.ts';
import type { Palette } from './colour.ts';
import { graphRows } from './graph.ts';
import { padTo } from './text.ts';

const intervalSeconds = 300;
const bitsPerByte = 8;
const rowsPerDirection = 6;
const labelWidth = 12;
const minimumWidth = 20;

export function trafficGraph(
  samples: readonly TrafficSample[],
  percentile: number,
  { width, palette }: { readonly width: number; readonly palette: Palette },
): string {
  const rate = (bytes: string): number => (Number(bytes) * bitsPerByte) / intervalSeconds;
  const incoming = samples.map(({ inbytes }) => rate(inbytes));
  const outgoing = samples.map(({ outbytes }) => rate(outbytes));
  const top = [...incoming, ...outgoing].reduce((maximum, value) => Math.max(maximum, value), percentile);
  const size = { width: Math.max(minimumWidth, width - labelWidth - 2), height: rowsPerDirection };
  const part = (name: string, values: readonly number[], paint: (text: string) => string): string[] =>
    graphRows(values, top, percentile, size).map((row, index) => {
      const label = index === 0 ? rateText(top) : index === rowsPerDirection - 1 ? name : '';
      return `${padTo(label, labelWidth)}│${paint(row)}`.trimEnd();
    });
  const [first, last] = [samples[0], samples.at(-1)];
  const span =
    first === undefined || last === undefined ? '' : `${timeText(first.start)} to ${timeText(last.start)} UTC`;
  return [
    ...part('in', incoming, palette.incoming),
    `${' '.repeat(labelWidth)}├${'─'.repeat(size.width)}`,
    ...part('out', outgoing, palette.outgoing),
    `${' '.repeat(labelWidth)}└${'─'.repeat(size.width)}`,
    `${' '.repeat(labelWidth + 1)}${span}`,
    `${' '.repeat(labelWidth + 1)}╌ 95th percentile ${rateText(percentile)}`,
    '',
  ].join('\n');
}
