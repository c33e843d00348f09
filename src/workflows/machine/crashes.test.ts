// Runs the workflows of machines through the harness.
import { scenariosOf } from '#test/support/scenarios.ts';
import { harness } from '../engine/harness.ts';

for (const scenario of scenariosOf('machine')) harness(scenario);
