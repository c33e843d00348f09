// The size of a virtual machine, and the sizes that it can change to: price and downtime are stated before it begins.
import { Alert, Select, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useDeviceApi, useRead, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { HourlyPrice, Money } from '../../parts/money.tsx';
import { memoryText } from '../../parts/traffic-units.ts';
import { Icon } from '../../shell/icons.tsx';
import { rich } from '../../text/rich.ts';
import { t, tData } from '../../text/text.ts';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';
import { SectionCard } from '../server/section-card.tsx';

type Sizes = Result<'machineSizeGet'>;

/** Nothing for staff, and while the machine is created. */
export function ResizeCard({ server }: { readonly server: ServerInfo }): JSX.Element | null {
  const { service } = server.device;
  const isCustomer = useDeviceApi().portal === 'customer';
  const { data: sizes } = useRead('machineSizeGet', { service }, { enabled: isCustomer });
  const unavailable = useUnavailableReason()(server, 'device:write');
  if (!isCustomer || sizes === undefined) return null;
  const nothing = sizes.sizes.some(({ possible }) => possible) ? undefined : t('Its plan has no other sizes.');
  return (
    <SectionCard title={t('Size')}>
      <Stack gap="sm" align="flex-start">
        <Facts
          facts={[
            [t('Processors'), sizes.vcpus],
            [t('Memory'), memoryText(sizes.memorymb)],
            [t('Disk'), `${sizes.diskgb} GB`],
          ]}
        />
        <FormButton
          variant="default"
          title={t('Resize')}
          disabledReason={unavailable ?? nothing}
          dialogSize="lg"
          form={(close) => <ResizeForm sizes={sizes} close={close} />}
        />
      </Stack>
    </SectionCard>
  );
}

function ResizeForm({ sizes, close }: { readonly sizes: Sizes; readonly close: () => void }): JSX.Element {
  const { service, downtime, seconds } = sizes;
  const fields = useFormFields({ plan: '' });
  const { plan } = fields.values;
  const chosen = sizes.sizes.find((size) => size.plan === plan);
  const impossible = sizes.sizes.filter(({ possible }) => !possible);
  const resize = useChange('machineSizeSet', { successMessage: t('The machine is being resized') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Resize')}
      disabledReason={plan === '' ? t('Choose a size.') : undefined}
      close={close}
      onSubmit={() => resize.mutateAsync({ service, plan })}
    >
      <Select
        label={t('New size')}
        required
        allowDeselect={false}
        data={sizes.sizes.map(({ plan: value, possible }) => ({ value, label: value, disabled: !possible }))}
        value={plan === '' ? null : plan}
        error={fields.errorOf('plan')}
        onChange={(name) => fields.set({ plan: name ?? '' })}
      />
      {impossible.map(({ plan: name, reason }) => (
        <Dimmed key={name}>{t('{name}: {problem}', { name, problem: tData(reason) })}</Dimmed>
      ))}
      {chosen !== undefined && <SizeFacts size={chosen} />}
      <Alert variant="light" color={downtime === 'none' ? 'brand' : 'orange'} icon={<Icon name="warning" />}>
        {downtime === 'none'
          ? t('The machine keeps running.')
          : t('If the machine is running, it restarts, which takes about {seconds} seconds.', { seconds })}{' '}
        {t('If the machine does not start again, its previous size and price are restored. Disks never shrink.')}
      </Alert>
    </Form>
  );
}

function SizeFacts({ size }: { readonly size: Sizes['sizes'][number] }): JSX.Element {
  const { vcpus, memorymb, diskgb, price, hourly, difference } = size;
  const amounts = { price: <Money amount={price} />, difference: <Money amount={difference.replace(/^-/, '')} /> };
  const priceText = difference.startsWith('-')
    ? rich('{price}, {difference} less a month', amounts)
    : rich('{price}, {difference} more a month', amounts);
  return (
    <Facts
      facts={[
        [t('Processors'), vcpus],
        [t('Memory'), memoryText(memorymb)],
        [t('Disk'), `${diskgb} GB`],
        [t('Price'), hourly === '' ? priceText : <HourlyPrice hourly={hourly} price={price} />],
      ]}
    />
  );
}
