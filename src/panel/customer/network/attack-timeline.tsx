// The timeline of an attack: traffic per minute, peak and null route. Everything drawn here is also available as text
// next to it.
import { useElementSize } from '@mantine/hooks';
import type { JSX } from 'react';
import { rateText } from '../../parts/traffic-units.ts';
import { useChartColours } from '../../parts/chart-colours.ts';
import { areaPath, createScale, timeTicks, type Frame, type Scale } from './timeline-scale.ts';
import { useDateFormats } from '../../parts/dates.ts';
import type { Attack } from './attack.ts';
import { t } from '../../text/text.ts';

const height = 260;

export function AttackTimeline({ attack, now }: { attack: Attack; now: number }): JSX.Element {
  const { ref, width } = useElementSize();
  return (
    <div ref={ref} style={{ width: '100%', minWidth: 0, height }}>
      {width > 0 && <TimelineChart attack={attack} now={now} width={width} />}
    </div>
  );
}

function TimelineChart({ attack, now, width }: { attack: Attack; now: number; width: number }): JSX.Element {
  const colours = useChartColours();
  const frame: Frame = { left: 8, right: width - 8, top: 26, bottom: height - 26 };
  const end = attack.end ?? now;
  const { nullroute } = attack;
  // A null route may outlast its attack.
  const until = Math.max(end, nullroute === undefined ? end : (nullroute.until ?? now));
  const margin = Math.max(30, (until - attack.start) * 0.03);
  const [axisStart, axisEnd] = [attack.start - margin, until + margin];
  const scale = createScale(frame, axisStart, axisEnd, attack.bits.value * 1.1);
  const points = attack.points.map(({ at, bits }) => ({ at, rate: bits }));
  const colour = colours.percentile;
  return (
    <svg width={width} height={height} role="img" aria-label={describeAttack(attack)} style={{ display: 'block' }}>
      {nullroute !== undefined && (
        <NullrouteBand
          scale={scale}
          frame={frame}
          from={nullroute.from}
          until={nullroute.until ?? now}
          colours={colours}
        />
      )}
      <RateLine scale={scale} frame={frame} rate={attack.bits.value} colours={colours} />
      <path d={areaPath(scale, points)} fill={colour} fillOpacity={0.22} stroke={colour} strokeWidth={1.5} />
      <line x1={frame.left} x2={frame.right} y1={frame.bottom} y2={frame.bottom} stroke={colours.grid} />
      {[attack.start, ...(attack.end === undefined ? [] : [attack.end])].map((at) => (
        <line
          key={at}
          x1={scale.x(at)}
          x2={scale.x(at)}
          y1={frame.top}
          y2={frame.bottom}
          stroke={colours.text}
          strokeDasharray="3 3"
        />
      ))}
      {attack.bits.at !== undefined && (
        <circle
          cx={scale.x(attack.bits.at)}
          cy={scale.y(points.find(({ at }) => at === attack.bits.at)!.rate)}
          r={4}
          fill={colour}
          stroke="var(--mantine-color-body)"
          strokeWidth={1.5}
        />
      )}
      <Ticks scale={scale} frame={frame} from={axisStart} until={axisEnd} colour={colours.text} />
    </svg>
  );
}

type Colours = ReturnType<typeof useChartColours>;

interface BandProps {
  readonly scale: Scale;
  readonly frame: Frame;
  readonly from: number;
  readonly until: number;
  readonly colours: Colours;
}

function NullrouteBand({ scale, frame, from, until, colours }: BandProps): JSX.Element {
  const [left, right] = [scale.x(from), scale.x(until)];
  const width = Math.max(2, right - left);
  return (
    <g>
      <rect x={left} y={frame.top} width={width} height={frame.bottom - frame.top} fill={colours.text} opacity={0.1} />
      <rect x={left} y={frame.top - 4} width={width} height={4} rx={1} fill={colours.text} opacity={0.75} />
      <text
        x={Math.max(frame.left, Math.min(left, frame.right - 70))}
        y={frame.top - 10}
        fontSize={11}
        fill={colours.text}
      >
        {t('Null-routed')}
      </text>
    </g>
  );
}

function RateLine({ scale, frame, rate, colours }: Omit<BandProps, 'from' | 'until'> & { rate: number }): JSX.Element {
  const y = scale.y(rate);
  return (
    <g>
      <line x1={frame.left} x2={frame.right} y1={y} y2={y} stroke={colours.grid} />
      <text x={frame.left} y={y - 4} fontSize={11} fill={colours.text} className="numbers">
        {rateText(rate)}
      </text>
    </g>
  );
}

interface TicksProps extends Pick<BandProps, 'scale' | 'frame' | 'from' | 'until'> {
  readonly colour: string;
}

function Ticks({ scale, frame, from, until, colour }: TicksProps): JSX.Element {
  const formats = useDateFormats();
  const isLong = until - from > 86_400;
  const maxTicks = Math.max(2, Math.floor((frame.right - frame.left) / (isLong ? 120 : 80)));
  const offsetSeconds = formats.offset(new Date(from * 1000)) / 1000;
  return (
    <g fontSize={11} fill={colour} textAnchor="middle" className="numbers">
      {timeTicks(from, until, maxTicks, offsetSeconds)
        .filter((at) => scale.x(at) > frame.left + 20 && scale.x(at) < frame.right - 20)
        .map((at) => (
          <text key={at} x={scale.x(at)} y={height - 8}>
            {(isLong ? formats.dayClock : formats.clock)(new Date(at * 1000))}
          </text>
        ))}
    </g>
  );
}

function describeAttack({ address, kind, bits, end, nullroute }: Attack): string {
  return [
    t('Timeline of an attack on {address}: {kind}, peak {rate}.', { address, kind, rate: rateText(bits.value) }),
    end === undefined ? t('The attack is ongoing.') : t('The attack has ended.'),
    nullroute === undefined ? t('The address was not null-routed.') : t('The address was null-routed.'),
  ].join(' ');
}
