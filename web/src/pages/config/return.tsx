const choices: Readonly<Record<string, string>> = {
  "5": "after 5 minutes",
  "15": "after 15 minutes",
  "60": "after 60 minutes",
  never: "only by hand",
};

/** The minutes of a choice; undefined for good. */
export function returnAfter(choice: string): number | undefined {
  return choice === "never" ? undefined : Number(choice);
}

interface ReturnProps {
  readonly value: string;
  readonly initial: string;
  onChoose(value: string): void;
}

/** When it goes back by itself: nobody remembers at night what was turned up in the morning. */
export function Return({ value, initial, onChoose }: ReturnProps) {
  return (
    <fieldset class="config-radios">
      <legend>Goes back to {initial}</legend>
      {Object.entries(choices).map(([minutes, label]) => (
        <label key={minutes} class="config-radio">
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
