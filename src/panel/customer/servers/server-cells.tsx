// Parts that the table and the cards of the server list share. They are plain elements, because the cost of a row is
// paid on every frame of scrolling.
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Device, DeviceState } from '#sdk/v2.ts';
import { serverName } from '../server/device.ts';
import { labelsOf } from '../server/server-search.ts';
import classes from './server-cells.module.css';
import { t } from '../../text/text.ts';

export interface ServerRowsProps {
  readonly devices: readonly Device[];
  readonly states: ReadonlyMap<string, DeviceState>;
  /** Service IDs. */
  readonly selected: ReadonlySet<string>;
  /** Must be a stable function. */
  readonly select: (service: string, isSelected: boolean) => void;
}

export interface SelectServerProps extends Pick<ServerRowsProps, 'select'> {
  readonly device: Device;
  readonly isSelected: boolean;
}

export function SelectServer({ device, isSelected, select }: SelectServerProps): JSX.Element {
  return (
    <input
      type="checkbox"
      className={classes['pick']}
      aria-label={t('Select {name}', { name: serverName(device) })}
      checked={isSelected}
      onChange={({ currentTarget: { checked } }) => select(device.service, checked)}
    />
  );
}

export function Name({ device }: { device: Device }): JSX.Element {
  const labels = labelsOf(device);
  return (
    <div>
      <Link to="/servers/$service" params={{ service: device.service }} className={classes['name']!}>
        {serverName(device)}
      </Link>
      <div className={classes['details']} title={labels.join(', ')}>
        {`${device.name} · ${device.service}`}
        {labels.map((label) => (
          <span key={label} className={classes['label']}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
