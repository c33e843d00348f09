// The plan of a server: its terms, the plans that it can change to, and cancellation.
import { Alert, Group, Select, Stack, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { useChange, useRead, type Result } from '../../../data/operations.ts';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FormButton } from '../../../parts/form-button.tsx';
import { useFormFields } from '../../../parts/form-fields.ts';
import { Form } from '../../../parts/form.tsx';
import { Day, HourlyPrice, Money } from '../../../parts/money.tsx';
import { QueryResult } from '../../../parts/query-result.tsx';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';
import { SectionCard } from '../section-card.tsx';

type DevicePlan = Result<'devicePlanGet'>;

export function PlanCard({ device }: { readonly device: Device }): JSX.Element | null {
  const denial = useScopeDenial()('billing:read');
  const plan = useRead('devicePlanGet', { service: device.service }, { enabled: denial === undefined });
  if (denial !== undefined || plan.data?.plan === '') return null;
  return (
    <SectionCard title={t('Plan')}>
      <QueryResult query={plan} lines={3}>
        {(current) => <PlanTerms device={device} plan={current} />}
      </QueryResult>
    </SectionCard>
  );
}

function PlanTerms({ device, plan }: { readonly device: Device; readonly plan: DevicePlan }): JSX.Element {
  const denial = useScopeDenial()('account:write');
  const { service, hostname } = device;
  const { minimumto, cancelledto, hourly } = plan;
  return (
    <Stack gap="sm">
      {cancelledto !== '' && (
        <Alert color="orange" variant="light" title={t('Cancelled@@service')}>
          {rich('The last day is {day}. Save your data by then.', { day: <Day on={cancelledto} /> })}
        </Alert>
      )}
      {cancelledto === '' && plan.changefrom !== '' && <ComingPrices plan={plan} />}
      <Facts
        facts={[
          [t('Plan'), plan.plan],
          ...(hourly === ''
            ? []
            : [[t('Price'), <HourlyPrice key="price" hourly={hourly} price={plan.price} />] as const]),
          ...(minimumto === '' ? [] : [[t('Minimum term until'), <Day key="day" on={minimumto} />] as const]),
        ]}
      />
      <Group gap="xs">
        {cancelledto === '' && plan.changes.length > 0 && (
          <FormButton
            variant="default"
            title={t('Change plan')}
            disabledReason={denial}
            form={(close) => <ChangeForm service={service} plans={plan.changes} close={close} />}
          />
        )}
        {cancelledto === '' ? (
          <CancelButton service={service} hostname={hostname} plan={plan} denial={denial} />
        ) : (
          <WithdrawButton service={service} hostname={hostname} plan={plan} denial={denial} />
        )}
      </Group>
    </Stack>
  );
}

function ComingPrices({ plan }: { readonly plan: DevicePlan }): JSX.Element {
  const { hourly, changefrom, changeprice, changehourly, earliestend } = plan;
  const prices = {
    day: <Day on={changefrom} />,
    old: <Money amount={plan.price} />,
    new: <Money amount={changeprice} />,
  };
  return (
    <Alert color="blue" variant="light" title={t('New prices')}>
      {hourly === '' || changehourly === ''
        ? rich('From {day} on, the plan costs {new} instead of {old}, plus tax.', prices)
        : rich(
            'From {day} on, the plan costs {newhourly} instead of {oldhourly} per hour, at most {new} instead of {old} per month, plus tax.',
            { ...prices, oldhourly: <Money amount={hourly} />, newhourly: <Money amount={changehourly} /> },
          )}{' '}
      {rich('If you cancel the service now, the last day is {day}.', { day: <Day on={earliestend} /> })}
    </Alert>
  );
}

interface CancellationProps {
  readonly service: string;
  readonly hostname: string;
  readonly plan: DevicePlan;
  readonly denial: string | undefined;
}

function CancelButton({ service, hostname, plan, denial }: CancellationProps): JSX.Element {
  const cancel = useChange('deviceCancel', { successMessage: t('Service cancelled') });
  return (
    <ConfirmButton
      variant="default"
      disabledReason={denial}
      question={t('Cancel {hostname}?', { hostname })}
      consequence={rich(
        'The last day is {day}. After it, the server and its data are deleted. You can withdraw the cancellation until then.',
        { day: <Day on={plan.earliestend} /> },
      )}
      confirmLabel={t('Cancel service')}
      dismissLabel={t('Keep service')}
      onConfirm={() => cancel.mutateAsync({ service })}
    />
  );
}

function WithdrawButton({ service, hostname, plan, denial }: CancellationProps): JSX.Element {
  const withdraw = useChange('deviceCancelWithdraw', { successMessage: t('Cancellation withdrawn') });
  const byStaff =
    plan.cancelledby === 'staff' ? t('The provider has cancelled the service. Contact support.') : undefined;
  return (
    <ConfirmButton
      variant="default"
      color="brand"
      disabledReason={byStaff ?? denial}
      question={t('Withdraw the cancellation of {hostname}?', { hostname })}
      consequence={t('The service continues, and is billed as before.')}
      confirmLabel={t('Withdraw cancellation')}
      onConfirm={() => withdraw.mutateAsync({ service })}
    />
  );
}

interface ChangeFormProps {
  readonly service: string;
  readonly plans: DevicePlan['changes'];
  readonly close: () => void;
}

function ChangeForm({ service, plans, close }: ChangeFormProps): JSX.Element {
  const fields = useFormFields({ plan: '' });
  const { plan } = fields.values;
  const change = useChange('devicePlanSet', { successMessage: t('Plan changed') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Change plan')}
      disabledReason={plan === '' ? t('Choose a plan.') : undefined}
      close={close}
      onSubmit={() => change.mutateAsync({ service, plan })}
    >
      <Select
        label={t('New plan')}
        required
        allowDeselect={false}
        data={plans.map(({ name }) => name)}
        value={plan === '' ? null : plan}
        error={fields.errorOf('plan')}
        onChange={(name) => fields.set({ plan: name ?? '' })}
      />
      {plan !== '' && <ChangePreview service={service} plan={plan} />}
    </Form>
  );
}

function ChangePreview({ service, plan }: { readonly service: string; readonly plan: string }): JSX.Element {
  const preview = useRead('devicePlanPreview', { service, plan });
  return (
    <QueryResult query={preview} lines={3}>
      {({ date, lines, subtotal }) => (
        <Stack gap="xs">
          <Text size="sm">
            {date === ''
              ? t('No invoice is planned.')
              : rich('On the next invoice, {day}:', { day: <Day on={date} /> })}
          </Text>
          <Table aria-label={t('Next invoice')}>
            <Table.Tbody>
              {lines.map(({ description, amount }) => (
                <Table.Tr key={description}>
                  <Table.Td className="wrap-anywhere">{description}</Table.Td>
                  <Table.Td ta="right">
                    <Money amount={amount} />
                  </Table.Td>
                </Table.Tr>
              ))}
              <Table.Tr fw={600}>
                <Table.Td>{t('Total, plus tax')}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={subtotal} />
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </QueryResult>
  );
}
