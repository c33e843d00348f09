// This month's traffic as one bar per day, incoming below outgoing. The figures next to it carry the same information.
import type { JSX } from 'react';
import type { TrafficMonth } from '#sdk/v2.ts';
import { bytesText } from '../../parts/traffic-units.ts';
import { useChartColours } from '../../parts/chart-colours.ts';
import { t } from '../../text/text.ts';

const [width, height, gap] = [186, 40, 2];
const maxDays = 31;

export function Sparkline({ month }: { month: TrafficMonth }): JSX.Element {
  const colours = useChartColours();
  const days = month.days.map(({ day, inbytes, outbytes }) => ({ day, in: Number(inbytes), out: Number(outbytes) }));
  const max = Math.max(1, ...days.map((day) => day.in + day.out));
  const total = days.reduce((sum, day) => sum + day.in + day.out, 0);
  const step = width / maxDays;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Daily traffic this month, {bytes} in total', { bytes: bytesText(total) })}
      style={{ display: 'block' }}
    >
      <line x1={0} x2={width} y1={height} y2={height} stroke={colours.grid} strokeWidth={2} />
      {days.map((day, index) => {
        const [inward, outward] = [(day.in / max) * height, (day.out / max) * height];
        const bar = { x: index * step, width: step - gap };
        return (
          <g key={day.day}>
            <title>
              {t('{day}: {inward} in, {outward} out', {
                day: day.day,
                inward: bytesText(day.in),
                outward: bytesText(day.out),
              })}
            </title>
            <rect {...bar} y={height - inward} height={inward} fill={colours.series[0]} />
            <rect {...bar} y={height - inward - outward} height={outward} fill={colours.series[1]} opacity={0.75} />
          </g>
        );
      })}
    </svg>
  );
}
