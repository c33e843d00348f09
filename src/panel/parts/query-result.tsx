// Renders a query: a skeleton while it loads, an error with a retry button, or its data. If a refetch fails, the older
// data stays below the error.
import { Alert, Button, Card, Center, Divider, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { Fragment, type JSX, type ReactNode } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { Icon, type IconName } from '../shell/icons.tsx';
import { Dimmed } from './dimmed.tsx';
import { errorText, isModuleFailure } from './error-text.ts';
import { t } from '../text/text.ts';

/** The part of a query that is rendered, whether it loads one response or several pages. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

export interface QueryResultProps<T> {
  readonly query: QueryState<T>;
  /** Lines of the skeleton. */
  readonly lines?: number;
  /** A table has a card and columns while it loads, so that nothing moves when it appears. */
  readonly shape?: 'table';
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  readonly children: (value: T) => ReactNode;
}

export function QueryResult<T>({ query, lines = 4, shape, empty, children }: QueryResultProps<T>): JSX.Element {
  const { data } = query;
  if (data === undefined) {
    if (isDenied(query.error)) return <Dimmed>{t('You do not have the permission to see this.')}</Dimmed>;
    if (query.error !== null) return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
    return shape === 'table' ? <LoadingTable rows={lines} /> : <LoadingLines lines={lines} />;
  }
  return (
    <>
      {query.error !== null && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data)}
    </>
  );
}

/** A person without the permission can do nothing about it, so that it is no alarm. */
function isDenied(error: Error | null): boolean {
  return error instanceof HostyardError && /^(?:scope|permission|role)_missing$/.test(error.code);
}

/** In percent: uneven, as text is. */
const lineWidths = [96, 78, 88, 64, 92, 71];

export function LoadingLines({ lines }: { lines: number }): JSX.Element {
  return (
    <Stack gap="md" py={6} role="status" aria-busy="true" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={14} radius="sm" width={`${lineWidths[index % lineWidths.length]}%`} />
      ))}
    </Stack>
  );
}

/** Of columns, in percent. */
const cellWidths = [34, 16, 20, 12];

function LoadingTable({ rows }: { rows: number }): JSX.Element {
  return (
    <Card padding={0} role="status" aria-busy="true" aria-label={t('Loading')}>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <Fragment key={row}>
          {row > 0 && <Divider />}
          <Group justify="space-between" wrap="nowrap" px="md" h={row === 0 ? 40 : 54}>
            {cellWidths.map((width) => (
              <Skeleton key={width} height={row === 0 ? 10 : 14} radius="sm" width={`${width - (row % 3) * 2}%`} />
            ))}
          </Group>
        </Fragment>
      ))}
    </Card>
  );
}

/** In place of a page whose module is still loading: a title and a card. */
export function LoadingPage(): JSX.Element {
  return (
    <Stack gap="md">
      <Skeleton height={26} width={220} radius="sm" />
      <Skeleton height={14} width={340} maw="80%" radius="sm" />
      <Card>
        <LoadingLines lines={8} />
      </Card>
    </Stack>
  );
}

export function ErrorAlert({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  const requestId = error instanceof HostyardError ? error.requestId : undefined;
  const { title, message } = errorText(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert">
      <Text size="sm">{message}</Text>
      {requestId !== undefined && <Dimmed size="xs">{t('Request {id}', { id: requestId })}</Dimmed>}
      {retry !== undefined && (
        <Button mt="xs" size="xs" variant="default" onClick={isModuleFailure(error) ? reloadIfReachable : retry}>
          {t('Try again')}
        </Button>
      )}
    </Alert>
  );
}

/** Browsers remember a module that failed. Reloading without a connection would lose the panel. */
function reloadIfReachable(): void {
  fetch(location.href).then(
    () => location.reload(),
    () => {},
  );
}

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What appears here, and how to get there, in a sentence. */
  readonly children?: ReactNode;
  /** A button for the next step. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps): JSX.Element {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={440} ta="center">
        <ThemeIcon variant="light" size={52} radius="xl" aria-hidden="true">
          <Icon name={icon} size={26} />
        </ThemeIcon>
        <Text fw={600} mt={4}>
          {title}
        </Text>
        {children !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {children}
          </Text>
        )}
        {action !== undefined && <Group mt="xs">{action}</Group>}
      </Stack>
    </Center>
  );
}

export function EmptyCard(props: EmptyStateProps): JSX.Element {
  return (
    <Card>
      <EmptyState {...props} />
    </Card>
  );
}
