// Save and cancel for inline editing, by buttons or with Enter and Escape.
import { ActionIcon } from '@mantine/core';
import type { JSX, KeyboardEvent } from 'react';
import { Icon } from '../shell/icons.tsx';
import { t } from '../text/text.ts';
import styles from './inline-edit.module.css';

export interface InlineEdit {
  readonly isPending: boolean;
  readonly save: () => Promise<void>;
  readonly cancel: () => void;
}

export function InlineEditButtons({ isPending, save, cancel }: InlineEdit): JSX.Element {
  return (
    <div className={styles['actions']}>
      <ActionIcon loading={isPending} onClick={() => void save()} aria-label={t('Save')} title={t('Save (Enter)')}>
        <Icon name="check" size={16} />
      </ActionIcon>
      <ActionIcon variant="default" onClick={cancel} aria-label={t('Cancel')} title={t('Cancel (Esc)')}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </div>
  );
}

export interface DeleteIconButtonProps {
  readonly label: string;
  /** Why nothing can be deleted; undefined if it can. */
  readonly disabledReason?: string | undefined;
  readonly onClick: () => void;
}

/** A plain button, because a long table renders many of them. */
export function DeleteIconButton({ label, disabledReason, onClick }: DeleteIconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      className={styles['small']}
      aria-label={label}
      {...(disabledReason === undefined
        ? { onClick }
        : { 'aria-disabled': true, 'aria-description': disabledReason, title: disabledReason })}
    >
      <Icon name="trash" size={16} />
    </button>
  );
}

export function handleInlineEditKey({ isPending, save, cancel }: InlineEdit, event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Escape') cancel();
  else if (!isPending) void save();
}
