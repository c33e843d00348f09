// A button that opens a form, and the most frequent of these: one that asks for the reason which somebody will be told.
import { Modal, Text, Textarea, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX, ReactNode } from 'react';
import { Act, type ActProps } from '../../parts/act.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';

export interface FormActProps extends Omit<ActProps, 'onClick' | 'size'> {
  readonly title: string;
  readonly size?: ModalProps['size'];
  readonly form: (close: () => void) => ReactNode;
  readonly buttonSize?: ActProps['size'];
}

export function FormAct({ title, size, form, buttonSize, ...props }: FormActProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Act {...props} {...(buttonSize === undefined ? {} : { size: buttonSize })} onClick={open} />
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

export interface ReasonActProps extends Omit<FormActProps, 'form'> {
  /** What will happen, and who reads the reason. */
  readonly about: ReactNode;
  readonly yes: string;
  readonly send: (reason: string) => Promise<unknown>;
  /** Further fields, below the reason. */
  readonly more?: ReactNode;
}

export function ReasonAct({ about, yes, send, more, ...props }: ReasonActProps): JSX.Element {
  return (
    <FormAct
      {...props}
      form={(close) => (
        <ReasonForm about={about} yes={yes} send={send} close={close}>
          {more}
        </ReasonForm>
      )}
    />
  );
}

type ReasonFormProps = Pick<ReasonActProps, 'about' | 'yes' | 'send'> & { close: () => void; children: ReactNode };

function ReasonForm({ about, yes, send, close, children }: ReasonFormProps): JSX.Element {
  const fields = useFields({ reason: '' });
  return (
    <Form
      fields={fields}
      label={yes}
      cancel={close}
      send={async () => {
        await send(fields.values.reason.trim());
        close();
      }}
    >
      <Text size="sm" component="div">
        {about}
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
