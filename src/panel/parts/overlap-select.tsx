// How long an old secret goes on beside its successor.
import { Select } from '@mantine/core';
import type { JSX } from 'react';
import type { Fields } from './fields.ts';
import { overlaps } from './overlaps.ts';

export function OverlapSelect({ label, fields }: { label: string; fields: Fields<{ overlap: string }> }): JSX.Element {
  return (
    <Select
      label={label}
      data={overlaps}
      value={fields.values.overlap}
      allowDeselect={false}
      error={fields.errorOf('overlap')}
      onChange={(overlap) => fields.set({ overlap: overlap ?? '0' })}
      data-autofocus
    />
  );
}
