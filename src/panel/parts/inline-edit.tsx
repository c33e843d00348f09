// Save and cancel for inline editing, by buttons or with Enter and Escape.
import { ActionIcon } from '@mantine/core';
import type { JSX, KeyboardEvent } from 'react';
import { Icon } from '../shell/icons.tsx';
import styles from './inline-edit.module.css';

export interface InlineEdit {
  readonly isPending: boolean;
  readonly save: () => Promise<void>;
  readonly cancel: () => void;
}

export function InlineEditButtons({ isPending, save, cancel }: InlineEdit): JSX.Element {
  return (
    <div className={styles['actions']}>
      <ActionIcon loading={isPending} onClick={() => void save()} aria-label="Save" title="Save (Enter)">
        <Icon name="check" size={16} />
      </ActionIcon>
      <ActionIcon variant="default" onClick={cancel} aria-label="Cancel" title="Cancel (Esc)">
        <Icon name="close" size={16} />
      </ActionIcon>
    </div>
  );
}

export function handleInlineEditKey({ isPending, save, cancel }: InlineEdit, event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Escape') cancel();
  else if (!isPending) void save();
}
