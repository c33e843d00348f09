// A new secret for a thing that stays what it is. The old one counts too for a while, so that nothing stands still meanwhile.
import { Select, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useFields } from './fields.ts';
import { Form } from './form.tsx';

const overlaps = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
];

export interface RotateFormProps {
  /** What happens. */
  readonly about: ReactNode;
  /** Of the choice for how long the old secret counts. */
  readonly label: string;
  /** Answers the new secret. */
  readonly rotate: (overlapSeconds: number) => Promise<string>;
  readonly close: () => void;
  readonly onMade: (secret: string) => void;
}

export function RotateForm({ about, label, rotate, close, onMade }: RotateFormProps): JSX.Element {
  const fields = useFields({ overlap: '86400' });
  return (
    <Form
      fields={fields}
      label="Rotate"
      cancel={close}
      send={async () => onMade(await rotate(Number(fields.values.overlap)))}
    >
      <Text size="sm" className="wrap-anywhere">
        {about}
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
