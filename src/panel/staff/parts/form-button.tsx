// Buttons that open a form in a dialog. The most common form asks for a reason, which the customer will see.
import { Modal, Text, Textarea, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX, ReactNode } from 'react';
import { ActionButton, type ActionButtonProps } from '../../parts/action-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';

export interface FormButtonProps extends Omit<ActionButtonProps, 'onClick' | 'size'> {
  readonly title: string;
  readonly size?: ModalProps['size'];
  readonly form: (close: () => void) => ReactNode;
  readonly buttonSize?: ActionButtonProps['size'];
}

export function FormButton({ title, size, form, buttonSize, ...props }: FormButtonProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton {...props} {...(buttonSize === undefined ? {} : { size: buttonSize })} onClick={open} />
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        size={size ?? 'md'}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {isOpen && form(close)}
      </Modal>
    </>
  );
}

export interface ReasonButtonProps extends Omit<FormButtonProps, 'form'> {
  /** What will happen and who sees the reason. */
  readonly description: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  /** Shown below the reason. */
  readonly extraFields?: ReactNode;
}

export function ReasonButton({
  description,
  confirmLabel,
  onConfirm,
  extraFields,
  ...props
}: ReasonButtonProps): JSX.Element {
  return (
    <FormButton
      {...props}
      form={(close) => (
        <ReasonForm description={description} confirmLabel={confirmLabel} onConfirm={onConfirm} close={close}>
          {extraFields}
        </ReasonForm>
      )}
    />
  );
}

type ReasonFormProps = Pick<ReasonButtonProps, 'description' | 'confirmLabel' | 'onConfirm'> & {
  close: () => void;
  children: ReactNode;
};

function ReasonForm({ description, confirmLabel, onConfirm, close, children }: ReasonFormProps): JSX.Element {
  const fields = useFormFields({ reason: '' });
  return (
    <Form
      fields={fields}
      submitLabel={confirmLabel}
      onCancel={close}
      onSubmit={async () => {
        await onConfirm(fields.values.reason.trim());
        close();
      }}
    >
      <Text size="sm" component="div">
        {description}
      </Text>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={200}
        data-autofocus
        {...fields.input('reason')}
      />
      {children}
    </Form>
  );
}
