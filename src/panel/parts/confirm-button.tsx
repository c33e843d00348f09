// Buttons that ask for confirmation, in a dialog that names the target and says what will happen.
import { Modal, Text, TextInput, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { ActionButton, type ActionButtonProps } from './action-button.tsx';
import { useFormFields } from './form-fields.ts';
import { Form } from './form.tsx';
import { t } from '../text/text.ts';

export interface Confirmation {
  /** Names the target. */
  readonly question: string;
  /** What will be lost and what will not. */
  readonly consequence: ReactNode;
  /** Text to type before an action that cannot be undone. */
  readonly confirmText?: string | undefined;
  readonly confirmLabel: string;
  /** For an action that is itself a cancellation; “Cancel” by default. */
  readonly dismissLabel?: string | undefined;
  readonly onConfirm: () => Promise<unknown>;
}

export interface ConfirmButtonProps extends Omit<ActionButtonProps, 'onClick' | 'children'>, Confirmation {
  /** The confirm label by default. */
  readonly children?: ReactNode;
}

export function ConfirmButton({
  question,
  consequence,
  confirmText,
  confirmLabel,
  dismissLabel,
  onConfirm,
  children = confirmLabel,
  ...props
}: ConfirmButtonProps): JSX.Element {
  const confirmation = { question, consequence, confirmText, confirmLabel, dismissLabel, onConfirm };
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton {...props} onClick={open}>
        {children}
      </ActionButton>
      <ConfirmDialog confirmation={isOpen ? confirmation : undefined} close={close} color={props.color ?? 'red'} />
    </>
  );
}

/** In a row of a table, for an action that takes something away. */
export function DangerButton(props: ConfirmButtonProps): JSX.Element {
  return <ConfirmButton size="compact-sm" variant="light" color="red" {...props} />;
}

export interface ConfirmDialogProps extends Pick<ModalProps, 'size'> {
  /** Undefined while the dialog is closed. */
  readonly confirmation: Confirmation | undefined;
  readonly close: () => void;
  readonly color?: NonNullable<ButtonProps['color']>;
}

export function ConfirmDialog({ confirmation, size = 'md', ...props }: ConfirmDialogProps): JSX.Element {
  return (
    <Modal
      opened={confirmation !== undefined}
      onClose={props.close}
      title={confirmation?.question}
      size={size}
      centered
    >
      {confirmation !== undefined && <ConfirmForm {...confirmation} {...props} />}
    </Modal>
  );
}

type ConfirmFormProps = Confirmation & Pick<ConfirmDialogProps, 'close' | 'color'>;

function ConfirmForm(props: ConfirmFormProps): JSX.Element {
  const { consequence, confirmText, confirmLabel, dismissLabel, onConfirm, close, color = 'red' } = props;
  const fields = useFormFields({});
  const [text, setText] = useState('');
  return (
    <Form
      fields={fields}
      submitLabel={confirmLabel}
      cancelLabel={dismissLabel}
      color={color}
      close={close}
      disabledReason={unconfirmedReason(confirmText, text)}
      onSubmit={onConfirm}
    >
      <Text size="sm" component="div">
        {consequence}
      </Text>
      {confirmText !== undefined && (
        <TypedConfirmation confirmText={confirmText} text={text} setText={setText} data-autofocus />
      )}
    </Form>
  );
}

export interface TypedConfirmationProps {
  readonly confirmText: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly 'data-autofocus'?: true;
}

export function TypedConfirmation({ confirmText, text, setText, ...props }: TypedConfirmationProps): JSX.Element {
  return (
    <TextInput
      label={t('Type {text} to confirm', { text: confirmText })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      autoComplete="off"
      {...props}
    />
  );
}

/** Returns why the action cannot be confirmed yet, or undefined if it can. */
export function unconfirmedReason(confirmText: string | undefined, text: string): string | undefined {
  return confirmText !== undefined && text !== confirmText
    ? t('Type {text} to confirm.', { text: confirmText })
    : undefined;
}
