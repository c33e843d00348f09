// A record in the table, with inline editing of content and TTL: Enter saves, Esc cancels, Tab moves between the two.
// Errors from the API appear below the cell.
import { Textarea, TextInput } from '@mantine/core';
import { DeleteIconButton, InlineEditButtons, handleInlineEditKey, type InlineEdit } from '../../parts/inline-edit.tsx';
import { memo, useState, type JSX, type KeyboardEvent } from 'react';
import type { ZoneRecord } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import styles from '../../parts/inline-edit.module.css';
import { VirtualCell } from '../../parts/virtual-table.tsx';
import { t } from '../../text/text.ts';
import { relativeName } from './record-names.ts';

export type EditableCell = 'content' | 'ttl';

export interface RecordRowProps {
  readonly zone: string;
  readonly record: ZoneRecord;
  /** Why nothing can be changed; undefined if the record is editable. */
  readonly readOnly: string | undefined;
  /** Why the record cannot be deleted; undefined if it can. */
  readonly deletionBlocked: string | undefined;
  readonly isSelected: boolean;
  readonly edited: EditableCell | undefined;
  /** The cell that was edited last and gets the focus back. */
  readonly lastEdited: EditableCell | undefined;
  readonly onEdit: (id: string, cell: EditableCell | undefined) => void;
  readonly onSelect: (id: string) => void;
  readonly onDelete: (record: ZoneRecord) => void;
}

export const RecordRow = memo(function RecordRow(props: RecordRowProps): JSX.Element {
  const { zone, record } = props;
  const name = relativeName(zone, record.name);
  return (
    <>
      <SelectCell {...props} name={name} />
      <VirtualCell className={styles['name']} title={record.name}>
        {name}
      </VirtualCell>
      <VirtualCell className={styles['type']}>{record.type}</VirtualCell>
      {props.edited === undefined ? (
        <RecordCells {...props} name={name} />
      ) : (
        <RecordEditor {...props} name={name} initialCell={props.edited} />
      )}
    </>
  );
});

function SelectCell({
  record,
  name,
  readOnly,
  deletionBlocked,
  isSelected,
  onSelect,
}: RecordRowProps & { name: string }): JSX.Element {
  const reason = readOnly ?? deletionBlocked;
  return (
    <VirtualCell>
      <input
        type="checkbox"
        className={styles['pick']}
        aria-label={t('Select {name} {type} {content}', { name, type: record.type, content: record.content })}
        checked={isSelected}
        onChange={() => onSelect(record.id)}
        {...(reason === undefined ? {} : { disabled: true, title: reason })}
      />
    </VirtualCell>
  );
}

function RecordCells({
  record,
  name,
  readOnly,
  deletionBlocked,
  lastEdited,
  onEdit,
  onDelete,
}: RecordRowProps & { name: string }): JSX.Element {
  const value = (cell: EditableCell, label: string, className?: string): JSX.Element => {
    const classes = [styles['value'], className].filter(Boolean).join(' ');
    if (readOnly !== undefined) return <span className={classes}>{record[cell]}</span>;
    return (
      <button
        type="button"
        ref={lastEdited === cell ? focusElement : undefined}
        className={classes}
        aria-label={t('{cell} of {name} {type}: {value}. Edit', {
          cell: label,
          name,
          type: record.type,
          value: record[cell],
        })}
        onClick={() => onEdit(record.id, cell)}
      >
        {record[cell]}
      </button>
    );
  };
  return (
    <>
      <VirtualCell className={styles['fromLeft']} title={record.content}>
        {value('content', t('Content'))}
      </VirtualCell>
      <VirtualCell className={styles['fromRight']}>{value('ttl', 'TTL', styles['number'])}</VirtualCell>
      <VirtualCell>
        <div className={styles['actions']}>
          <DeleteIconButton
            label={t('Delete {name} {type} {content}', { name, type: record.type, content: record.content })}
            disabledReason={readOnly ?? deletionBlocked}
            onClick={() => onDelete(record)}
          />
        </div>
      </VirtualCell>
    </>
  );
}

type RecordEditorProps = RecordRowProps & { readonly name: string; readonly initialCell: EditableCell };

function RecordEditor({ record, name, initialCell, onEdit }: RecordEditorProps): JSX.Element {
  const fields = useFormFields({ content: record.content, ttl: record.ttl });
  const update = useChange('recordUpdate', { invalidates: ['recordList', 'zoneHistoryGet'] });
  const [focused] = useState(initialCell);
  const cancel = (): void => onEdit(record.id, undefined);
  const save = async (): Promise<void> => {
    const content = fields.values.content.trim();
    const ttl = fields.values.ttl.trim();
    if (content === record.content && ttl === record.ttl) return cancel();
    try {
      await update.mutateAsync({
        domain: record.domain_id,
        record: record.id,
        ...(content === record.content ? {} : { content }),
        // Passed on as typed: the API rejects a TTL that is not a number.
        ...(ttl === record.ttl ? {} : { ttl: ttl as unknown as number }),
      });
      cancel();
    } catch (error) {
      fields.showError(error);
    }
  };
  const inlineEdit: InlineEdit = { isPending: update.isPending, save, cancel };
  const onKeyDown = (event: KeyboardEvent): void => handleInlineEditKey(inlineEdit, event);
  const common = { size: 'xs', readOnly: update.isPending, onKeyDown } as const;
  return (
    <>
      <VirtualCell isMultiline className={styles['edited']}>
        <Textarea
          {...common}
          {...fields.input('content')}
          ref={focused === 'content' ? selectAll : undefined}
          aria-label={t('Content of {name} {type}', { name, type: record.type })}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: styles['input']!, error: styles['error']! }}
        />
        {fields.formError !== undefined && (
          <div className={styles['error']} role="alert">
            {fields.formError}
          </div>
        )}
      </VirtualCell>
      <VirtualCell isMultiline className={styles['edited']}>
        <TextInput
          {...common}
          {...fields.input('ttl')}
          ref={focused === 'ttl' ? selectAll : undefined}
          aria-label={t('TTL of {name} {type}, in seconds', { name, type: record.type })}
          inputMode="numeric"
          classNames={{ input: styles['numberInput']!, error: styles['error']! }}
        />
      </VirtualCell>
      <VirtualCell isMultiline>
        <InlineEditButtons {...inlineEdit} />
      </VirtualCell>
    </>
  );
}

function focusElement(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
function selectAll(element: HTMLInputElement | HTMLTextAreaElement | null): void {
  if (element === null || document.activeElement === element) return;
  element.focus({ preventScroll: true });
  element.select();
}
