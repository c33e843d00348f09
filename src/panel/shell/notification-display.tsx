// A module of its own, so that the page loads without it.
export { Notifications } from '@mantine/notifications';
