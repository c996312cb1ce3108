const choices: Readonly<Record<string, string>> = {
  "5": "after 5 minutes",
  "15": "after 15 minutes",
  "60": "after 60 minutes",
  never: "only manually",
};

/** The duration in minutes; undefined for a permanent change. */
export function revertAfter(choice: string): number | undefined {
  return choice === "never" ? undefined : Number(choice);
}

interface RevertTimeProps {
  readonly value: string;
  readonly initial: string;
  onChoose(value: string): void;
}

/** When the setting reverts automatically, so that a temporary change is not forgotten. */
export function RevertTime({ value, initial, onChoose }: RevertTimeProps) {
  return (
    <fieldset class="cluster gap-11">
      <legend>Reverts to {initial}</legend>
      {Object.entries(choices).map(([minutes, label]) => (
        <label key={minutes} class="config-radio row inline">
          <input
            type="radio"
            name="minutes"
            value={minutes}
            checked={minutes === value}
            onChange={() => onChoose(minutes)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
