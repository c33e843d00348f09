// The customer's own labels of a server.
import { TagsInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { maxLabels } from '#contract/shapes/device-facts.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { useChange, useRead } from '../../../data/operations.ts';
import { useFormFields } from '../../../parts/form-fields.ts';
import { Form } from '../../../parts/form.tsx';
import { allLabels, labelsOf } from '../server-search.ts';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

export function LabelsCard({ device }: { device: Device }): JSX.Element {
  // A new form once the labels have changed elsewhere.
  return <LabelsForm key={device.labels} device={device} />;
}

function LabelsForm({ device }: { device: Device }): JSX.Element {
  const labels = labelsOf(device);
  const denial = useScopeDenial()('device:write');
  const devices = useRead('deviceList', {});
  const fields = useFormFields<{ add: readonly string[] }>({ add: labels });
  const change = useChange('deviceLabelSet', { successMessage: t('Labels saved'), invalidates: ['deviceList'] });
  const { add: wanted } = fields.values;
  const add = wanted.filter((label) => !labels.includes(label));
  const remove = labels.filter((label) => !wanted.includes(label));
  const isSame = add.length === 0 && remove.length === 0;
  return (
    <SectionCard
      title={t('Labels')}
      description={t('Use labels to group and find your servers. Press Enter after each one.')}
    >
      <Form
        fields={fields}
        submitLabel={t('Save labels')}
        disabledReason={denial ?? (isSame ? t('The labels are unchanged.') : undefined)}
        onSubmit={() => change.mutateAsync({ service: device.service, add, remove })}
      >
        <TagsInput
          aria-label={t('Labels')}
          data={allLabels(devices.data ?? [])}
          value={[...wanted]}
          error={fields.errorOf('add')}
          maxTags={maxLabels}
          onChange={(next) => fields.set({ add: next.map((label) => label.trim().toLowerCase()) })}
        />
      </Form>
    </SectionCard>
  );
}
