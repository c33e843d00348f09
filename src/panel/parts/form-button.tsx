// Buttons that open a form in a dialog. The most common form asks for a reason, which the customer will see.
import { Modal, Text, Textarea, type ModalProps, type TextareaProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { ActionButton, type ActionButtonProps } from './action-button.tsx';
import { TypedConfirmation, unconfirmedReason } from './confirm-button.tsx';
import { useFormFields } from './form-fields.ts';
import { Form } from './form.tsx';
import { t } from '../text/text.ts';

export interface FormButtonProps extends Omit<ActionButtonProps, 'onClick' | 'children'> {
  /** The title of the dialog. */
  readonly title: string;
  readonly dialogSize?: ModalProps['size'];
  readonly form: (close: () => void) => ReactNode;
  /** The title by default. */
  readonly children?: ReactNode;
}

export function FormButton({ title, dialogSize, form, children = title, ...props }: FormButtonProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton {...props} onClick={open}>
        {children}
      </ActionButton>
      <Modal opened={isOpen} onClose={close} title={title} size={dialogSize ?? 'md'} closeOnClickOutside={false}>
        {isOpen && form(close)}
      </Modal>
    </>
  );
}

interface ReasonPrompt {
  /** What will happen and who sees the reason. */
  readonly description: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  /** Shown below the reason. */
  readonly extraFields?: ReactNode;
  /** Text to type before an action that cannot be undone. */
  readonly confirmText?: string;
}

export interface ReasonButtonProps extends Omit<FormButtonProps, 'form' | 'children'>, ReasonPrompt {}

export function ReasonButton({
  description,
  confirmLabel,
  onConfirm,
  extraFields,
  confirmText,
  ...props
}: ReasonButtonProps): JSX.Element {
  const prompt = {
    description,
    confirmLabel,
    onConfirm,
    extraFields,
    ...(confirmText !== undefined && { confirmText }),
  };
  return (
    <FormButton {...props} form={(close) => <ReasonForm {...prompt} close={close} />}>
      {confirmLabel}
    </FormButton>
  );
}

/** Asks for a reason, first in its form. */
export function ReasonInput(props: TextareaProps): JSX.Element {
  return <Textarea label={t('Reason')} required autosize minRows={2} maxLength={200} data-autofocus {...props} />;
}

type ReasonFormProps = ReasonPrompt & { readonly close: () => void };

function ReasonForm(props: ReasonFormProps): JSX.Element {
  const { description, confirmLabel, onConfirm, extraFields, confirmText, close } = props;
  const fields = useFormFields({ reason: '' });
  const [text, setText] = useState('');
  return (
    <Form
      fields={fields}
      submitLabel={confirmLabel}
      close={close}
      disabledReason={unconfirmedReason(confirmText, text)}
      onSubmit={() => onConfirm(fields.values.reason.trim())}
    >
      <Text size="sm" component="div">
        {description}
      </Text>
      <ReasonInput {...fields.input('reason')} />
      {extraFields}
      {confirmText !== undefined && <TypedConfirmation confirmText={confirmText} text={text} setText={setText} />}
    </Form>
  );
}
