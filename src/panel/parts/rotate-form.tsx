// Replaces a secret. The old one can stay valid for a while, so that nothing stops working in between.
import { Select, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useFormFields } from './form-fields.ts';
import { Form } from './form.tsx';
import { t } from '../text/text.ts';

const overlaps = [
  { value: '0', label: t('Not at all (stops working now)') },
  { value: '3600', label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('1 week') },
];

export interface RotateFormProps {
  readonly description: ReactNode;
  /** Label of the choice how long the old secret stays valid. */
  readonly label: string;
  /** Returns the new secret. */
  readonly rotate: (overlapSeconds: number) => Promise<string>;
  readonly close: () => void;
  readonly onCreated: (secret: string) => void;
}

export function RotateForm({ description, label, rotate, close, onCreated }: RotateFormProps): JSX.Element {
  const fields = useFormFields({ overlap: '86400' });
  return (
    <Form
      fields={fields}
      submitLabel={t('Rotate')}
      onCancel={close}
      onSubmit={async () => onCreated(await rotate(Number(fields.values.overlap)))}
    >
      <Text size="sm" className="wrap-anywhere">
        {description}
      </Text>
      <Select
        label={label}
        data={overlaps}
        value={fields.values.overlap}
        allowDeselect={false}
        error={fields.errorOf('overlap')}
        onChange={(overlap) => fields.set({ overlap: overlap ?? '0' })}
        data-autofocus
      />
    </Form>
  );
}
