// Power and temperature of a rack, as far as the sensors of its servers report them.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { Dimmed } from '../../parts/dimmed.tsx';
import { formatNumber, t } from '../../text/text.ts';
import type { Rack } from './rack-units.ts';

/** Shows nothing for a rack without servers. */
export function RackClimate({ rack: { servers, power, inlet } }: { rack: Rack }): JSX.Element | null {
  if (servers === '0') return null;
  return (
    <div style={{ marginBottom: 8 }}>
      <Text size="sm" className="numbers">
        {power.reporting === '0' ? t('Power unknown') : powerText(Number(power.watts), power.reporting === servers)}
        {' · '}
        {inlet.reporting === '0'
          ? t('Inlet temperature unknown')
          : t('Inlet {max} °C max, {median} °C median', { max: inlet.max, median: inlet.median })}
      </Text>
      {(power.reporting !== servers || inlet.reporting !== servers) && (
        <Dimmed size="xs" className="numbers">
          {t('Power of {power} and temperature of {inlet} of {servers} servers', {
            power: power.reporting,
            inlet: inlet.reporting,
            servers,
          })}
        </Dimmed>
      )}
    </div>
  );
}

function powerText(watts: number, isComplete: boolean): string {
  const power = watts < 1000 ? `${formatNumber(watts)} W` : `${formatNumber(Math.round(watts / 100) / 10)} kW`;
  return isComplete ? power : t('At least {power}', { power });
}
