// Service, engine: the fitted risk model, as written by `npm run fit`.

import { ParametersSchema, RiskModel } from './model.ts';
import file from './parameters.json' with { type: 'json' };

export const RISK_MODEL = new RiskModel(ParametersSchema.parse(file));
