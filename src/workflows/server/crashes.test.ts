// Runs the workflows of servers through the harness.
import { scenariosOf } from '#test/support/scenarios.ts';
import { harness } from '../engine/harness.ts';

for (const scenario of scenariosOf('server')) harness(scenario);
