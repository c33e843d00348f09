// The power state and when it was last checked, so that an old state is never mistaken for a current one.
import type { JSX, ReactNode } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import classes from './power-state.module.css';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

const labels = { on: t('On'), off: t('Off'), unknown: t('Unknown') };

export function PowerIndicator({ power }: { power: DeviceState['power'] }): JSX.Element {
  return (
    <span className={classes['power']} data-power={power}>
      {labels[power]}
    </span>
  );
}

export function LastKnownPower({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <span className={classes['checked']}>—</span>;
  return (
    <div>
      <PowerIndicator power={state.power} />
      <div className={classes['checked']}>{state.seen === '' ? t('Not checked yet') : checkedLine(state)}</div>
    </div>
  );
}

function checkedLine({ power, seen }: DeviceState): ReactNode {
  const time = <Timestamp at={seen} isRelative />;
  return power === 'unknown' ? rich('Last known {time}', { time }) : rich('Checked {time}', { time });
}
