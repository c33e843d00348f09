// The end of an edit in place: kept or given up, by two buttons or by Enter and Escape.
import { ActionIcon } from '@mantine/core';
import type { JSX, KeyboardEvent } from 'react';
import { Icon } from '../shell/icons.tsx';
import styles from './in-place.module.css';

export interface KeepOrStop {
  readonly isPending: boolean;
  readonly keep: () => Promise<void>;
  readonly stop: () => void;
}

export function KeepOrStopButtons({ isPending, keep, stop }: KeepOrStop): JSX.Element {
  return (
    <div className={styles['actions']}>
      <ActionIcon loading={isPending} onClick={() => void keep()} aria-label="Save" title="Save (Enter)">
        <Icon name="check" size={16} />
      </ActionIcon>
      <ActionIcon variant="default" onClick={stop} aria-label="Cancel" title="Cancel (Esc)">
        <Icon name="close" size={16} />
      </ActionIcon>
    </div>
  );
}

export function keepOrStopByKey({ isPending, keep, stop }: KeepOrStop, event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Escape') stop();
  else if (!isPending) void keep();
}
