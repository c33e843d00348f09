// The order of a virtual machine: plan, system, location, keys and name, with the price before the button.
import {
  Alert,
  Chip,
  Grid,
  SegmentedControl,
  SimpleGrid,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useFormFields, type FormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { noSshKeys, SshKeyFields, sshKeyInput } from '../server/install/ssh-key-fields.tsx';
import { SectionCard } from '../server/section-card.tsx';
import { rich } from '../../text/rich.ts';
import { t, tCount, tData } from '../../text/text.ts';
import { PlanCard, planPrice } from './plan-card.tsx';

type Options = Result<'machineOptions'>;
type Plan = Options['plans'][number];

const noValues = { plan: '', system: '', location: '', hostname: '', group: '', userdata: '', ...noSshKeys };
type Values = typeof noValues;

export function NewMachinePage(): JSX.Element {
  const options = useRead('machineOptions', {});
  return (
    <Page
      title={t('New machine')}
      breadcrumbs={[{ label: t('Servers'), to: '/servers' }]}
      description={t('Ready about a minute after ordering')}
    >
      <QueryResult query={options} lines={8}>
        {(all) => (all.plans.length === 0 ? noPlans : <OrderForm options={all} />)}
      </QueryResult>
    </Page>
  );
}

const noPlans = (
  <EmptyCard icon="server" title={t('No machines to order')}>
    {t('The provider offers none here. Contact support.')}
  </EmptyCard>
);

function OrderForm({ options }: { readonly options: Options }): JSX.Element {
  const fields = useFormFields<Values>(noValues);
  const { values } = fields;
  const navigate = useNavigate();
  const order = useChange('machineCreate', { successMessage: t('Machine ordered') });
  const denial = useScopeDenial()('device:write');
  const plan = options.plans.find(({ name }) => name === values.plan);
  const submit = async (): Promise<void> => {
    const { location, group } = values;
    const chosen = Object.entries({ location, group, userdata: takesUserData(values, options) ? values.userdata : '' });
    const { service } = await order.mutateAsync({
      plan: values.plan,
      system: values.system,
      hostname: values.hostname.trim(),
      ...Object.fromEntries(chosen.filter(([, value]) => value !== '')),
      ...sshKeyInput(values),
    });
    void navigate({ to: '/servers/$service', params: { service } });
  };
  return (
    <Form
      fields={fields}
      submitLabel={t('Order machine')}
      disabledReason={denial ?? missingChoice(values, options)}
      onSubmit={submit}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {options.obstacle !== '' && (
              <Alert variant="light" color="orange" title={t('You cannot order now')}>
                {obstacleText(options)}
              </Alert>
            )}
            <SectionCard title={t('Plan')}>
              <Chip.Group
                value={values.plan}
                onChange={(next) => fields.set({ plan: next as string, ...fitting(values, options, next as string) })}
              >
                <SimpleGrid minColWidth="200px" role="radiogroup" aria-label={t('Plan')}>
                  {options.plans.map((each) => (
                    <PlanCard key={each.name} plan={each} isChosen={each.name === values.plan} />
                  ))}
                </SimpleGrid>
              </Chip.Group>
            </SectionCard>
            <SystemAndPlace options={options} plan={plan} fields={fields} />
            <NameAndAccess options={options} fields={fields} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Summary plan={plan} values={values} options={options} />
        </Grid.Col>
      </Grid>
    </Form>
  );
}

function obstacleText({ obstacle }: Options): string {
  const [, number] = /^Invoice (\S+) is overdue\. Pay it, then order again\.$/.exec(obstacle) ?? [];
  return number === undefined
    ? tData(obstacle)
    : t('Invoice {number} is overdue. Pay it, then order again.', { number });
}

function missingChoice(values: Values, options: Options): string | undefined {
  if (options.obstacle !== '') return obstacleText(options);
  if (values.plan === '') return t('Select a plan first.');
  if (values.system === '') return t('Select an operating system first.');
  if (values.hostname.trim() === '') return t('Enter a hostname first.');
  return undefined;
}

/** Keeps the system and the location if the new plan has them. */
function fitting({ system, location }: Values, options: Options, name: string): Partial<Values> {
  const plan = options.plans.find((each) => each.name === name)!;
  return {
    system: systemsOf(options, plan).some(({ value }) => value === system) ? system : '',
    location: plan.locations.includes(location) ? location : '',
  };
}

function systemsOf({ systems }: Options, plan: Plan | undefined): Options['systems'] {
  return systems.filter(({ type }) => plan === undefined || plan.type === '' || plan.type === type);
}

function takesUserData({ system }: Values, { systems }: Options): boolean {
  return systems.find(({ value }) => value === system)?.userdata ?? true;
}

interface PartProps {
  readonly options: Options;
  readonly fields: FormFields<Values>;
}

function SystemAndPlace({ options, plan, fields }: PartProps & { readonly plan: Plan | undefined }): JSX.Element {
  const { values } = fields;
  const systems = systemsOf(options, plan);
  const twice = new Set(systems.map(({ name }) => name)).size < systems.length;
  const labelOf = ({ name, type, location }: Options['systems'][number]): string =>
    [name, ...(twice ? [type === 'Xen' ? t('virtual machine') : t('container')] : []), location]
      .filter((part) => part !== '')
      .join(' · ');
  const onlyLocation = systems.find(({ value }) => value === values.system)?.location ?? '';
  return (
    <SectionCard title={t('System and location')}>
      <Stack>
        <Select
          label={t('Operating system')}
          data={systems.map((system) => ({ value: system.value, label: labelOf(system) }))}
          value={values.system === '' ? null : values.system}
          onChange={(next) => {
            const only = systems.find(({ value }) => value === next)?.location ?? '';
            fields.set({ system: next ?? '', ...(only !== '' && { location: only }) });
          }}
          error={fields.errorOf('system')}
          searchable
          required
        />
        {options.locations.length > 0 && (
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('Location')}
            </Text>
            <SegmentedControl
              aria-label={t('Location')}
              value={values.location}
              onChange={(next) => fields.set({ location: next })}
              data={[
                { value: '', label: t('Any') },
                ...options.locations.map((value) => ({
                  value,
                  label: value,
                  disabled:
                    (plan !== undefined && !plan.locations.includes(value)) ||
                    (onlyLocation !== '' && onlyLocation !== value),
                })),
              ]}
            />
          </div>
        )}
      </Stack>
    </SectionCard>
  );
}

function NameAndAccess({ options, fields }: PartProps): JSX.Element {
  const { data: groups = [] } = useRead('machineGroupList', {});
  const { values } = fields;
  return (
    <SectionCard title={t('Name and access')}>
      <Stack>
        <TextInput
          label={t('Hostname')}
          placeholder="web1.example.com"
          autoComplete="off"
          spellCheck={false}
          required
          {...fields.input('hostname')}
        />
        <SshKeyFields fields={fields} />
        {groups.length > 0 && (
          <Select
            label={t('Group')}
            description={t('Machines in a group never share a hypervisor')}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            value={values.group === '' ? null : values.group}
            onChange={(next) => fields.set({ group: next ?? '' })}
            clearable
          />
        )}
        {takesUserData(values, options) && (
          <Textarea
            label={t('User data')}
            description={t('A script or cloud-config that runs at the first start (optional)')}
            placeholder="#cloud-config"
            autosize
            minRows={1}
            maxRows={12}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...fields.input('userdata')}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function addressText({ addresses }: Plan): string {
  const length = Number(addresses.slice(1));
  if (length === 64) return t('/64: one network');
  if (length === 32) return t('/32: 1 address');
  return t('/{length}: {count} addresses', { length, count: 2 ** (32 - length) });
}

interface SummaryProps {
  readonly plan: Plan | undefined;
  readonly values: Values;
  readonly options: Options;
}

function Summary({ plan, values, options }: SummaryProps): JSX.Element {
  const system = options.systems.find(({ value }) => value === values.system)?.name;
  return (
    <SectionCard title={t('Summary')}>
      <Stack gap="sm">
        <Facts
          facts={[
            [t('Plan'), plan?.name ?? ''],
            [t('Operating system'), system ?? ''],
            [t('Location'), values.location || t('Any')],
            [t('Hostname'), values.hostname],
            [t('Addresses'), plan === undefined ? '' : addressText(plan)],
            [t('Price'), plan === undefined ? '' : planPrice(plan)],
            ...(plan === undefined || Number(plan.setup) === 0
              ? []
              : [[t('Setup'), <Money key="setup" amount={plan.setup} />] as const]),
          ]}
        />
        {plan !== undefined && plan.minimum !== '0' && (
          <Alert variant="light" color="orange">
            {tCount(Number(plan.minimum), {
              one: 'The minimum term is {count} month: it is paid even if you delete the machine earlier.',
              other: 'The minimum term is {count} months: it is paid even if you delete the machine earlier.',
            })}
          </Alert>
        )}
        <Dimmed>
          {rich('Plus tax. Billing starts with the order. You can order {left} more.', { left: options.left })}
        </Dimmed>
      </Stack>
    </SectionCard>
  );
}
