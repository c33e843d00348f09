// Downloads the ledger of a period for DATEV; the last month by default.
import { Group, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { staffApi } from '../../data/session.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { dayText, monthStart } from './amounts.ts';
import { t } from '../../text/text.ts';

const dayMs = 86_400_000;

export function DatevForm({ close }: { close: () => void }): JSX.Element {
  const today = new Date();
  const lastDay = new Date(Date.parse(monthStart(today, 0)) - dayMs);
  const fields = useFormFields({ from: monthStart(today, 1), until: dayText(lastDay), currency: 'EUR' });
  return (
    <Form
      fields={fields}
      submitLabel={t('Download')}
      close={close}
      onSubmit={async () => saveFile(await staffApi().reportDatev(fields.values))}
    >
      <Text size="sm">
        {t(
          'A Buchungsstapel in the EXTF format, with the accounts of the site file. The period must be within one business year.',
        )}
      </Text>
      <Group grow>
        <TextInput type="date" label={t('From')} required {...fields.input('from')} />
        <TextInput type="date" label={t('Until')} required {...fields.input('until')} />
      </Group>
      <TextInput label={t('Currency')} required maxLength={3} {...fields.input('currency')} />
    </Form>
  );
}
