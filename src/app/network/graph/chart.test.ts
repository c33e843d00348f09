import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inflateSync, crc32 } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import { fc } from '#test/support/fast-check.ts';
import { emptySeries, sampleMarks, type Series } from '#traffic/series.ts';
import { computeStatistics } from '#traffic/statistics.ts';
import { chartSvg } from './chart.ts';
import { trafficCsv } from './csv.ts';
import { chartHeight, plotArea, chartWidth } from './layout.ts';
import { svgToPng } from './png.ts';

const startSeconds = Date.UTC(2026, 9, 1) / 1000;

function seriesOf(days: number, rate: (index: number) => number): Series {
  const series = emptySeries(startSeconds, startSeconds + days * 86_400);
  series.marks.fill(0);
  for (let index = 0; index < series.marks.length; index++) {
    series.inBytes[index] = Math.round(rate(index) / 4) * 37.5;
    series.outBytes[index] = Math.round(rate(index)) * 37.5;
  }
  return series;
}

const svgOf = (series: Series, title = 'sw01 ge-0/0/7') =>
  chartSvg({ title, series, statistics: computeStatistics(series, { attacks: 'count' }), speedBitsPerSecond: 1e9 });

/** Decodes the PNG independently. */
function decodePng(png: Buffer) {
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT')!);
  assert.equal(lines.length, height * (1 + width * 3));
  const colourAt = (x: number, y: number) => lines.toString('hex', y * (1 + width * 3) + 1 + x * 3).slice(0, 6);
  return { width, height, colourAt };
}

describe('the chart of a port', () => {
  it('is a PNG, identical for identical data', async () => {
    const series = seriesOf(31, (index) => 1e8 + 9e7 * Math.sin(index / 40));
    const [first, second] = [await svgToPng(svgOf(series)), await svgToPng(svgOf(series))];
    assert.deepEqual(first, second);
    const { width, height, colourAt } = decodePng(first);
    assert.deepEqual([width, height], [chartWidth, chartHeight]);
    assert.equal(colourAt(2, 2), 'ffffff');
  });

  it('shades periods without data and interrupts the line', async () => {
    const series = seriesOf(1, () => 1e8);
    series.marks.fill(sampleMarks.missing, 100, 200);
    const svg = svgOf(series);
    assert.match(svg, /fill="#f1f3f5"/);
    const line = /<path d="(M[^"]*)" fill="none" stroke="#3451d1"/.exec(svg)?.[1];
    assert.equal(line?.match(/M/g)?.length, 2);
    const { colourAt } = decodePng(await svgToPng(svg));
    const middle = Math.round(plotArea.left + ((plotArea.right - plotArea.left) * 150) / 288);
    assert.equal(colourAt(middle, plotArea.top + 20), 'f1f3f5');
  });

  it('draws the limit only if the port comes close to it', () => {
    const limit = /stroke="#8d6b00"/;
    assert.doesNotMatch(svgOf(seriesOf(1, () => 1e8)), limit);
    assert.match(svgOf(seriesOf(1, () => 9.9e8)), limit);
  });

  it('accepts any title and any traffic', () => {
    const marks = fc.constantFrom(0, ...Object.values(sampleMarks));
    const sample = fc.tuple(fc.maxSafeNat(), fc.maxSafeNat(), marks);
    const title = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(title, fc.array(sample, { maxLength: 40 }), (title, samples) => {
        const series = emptySeries(startSeconds, startSeconds + Math.max(1, samples.length) * 300);
        for (const [index, [inBytes, outBytes, mark]] of samples.entries()) {
          series.inBytes[index] = inBytes;
          series.outBytes[index] = outBytes;
          series.marks[index] = mark;
        }
        const svg = svgOf(series, title);
        assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
        assert.equal(new Resvg(svg, { font: { loadSystemFonts: false } }).width, chartWidth);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the samples as CSV', () => {
  it('are one line per interval, empty without data', async () => {
    const series = emptySeries(startSeconds, startSeconds + 900);
    series.inBytes.set([300, 600]);
    series.outBytes.set([30, 0]);
    series.marks.set([0, sampleMarks.wrap | sampleMarks.attack]);
    assert.equal(
      await trafficCsv(series),
      [
        'start,unix,in_bytes,out_bytes,in_bits_per_second,out_bits_per_second,marks',
        '2026-10-01T00:00:00Z,1790812800,300,30,8,1,',
        '2026-10-01T00:05:00Z,1790813100,600,0,16,0,wrap attack',
        '2026-10-01T00:10:00Z,1790813400,,,,,missing',
        '',
      ].join('\r\n'),
    );
  });
});
