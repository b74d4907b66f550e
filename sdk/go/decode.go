package barograph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// State is how risky a symbol is. A greater one is riskier, also one that this version does not know: compare with >=.
type State int64

// States that this version knows.
const (
	StateNormal   State = 0
	StateElevated State = 1
	StateHighRisk State = 2
)

// String is the name of the state, as StateName has it.
func (s State) String() string {
	if s < StateNormal || s > StateHighRisk {
		return fmt.Sprintf("state %d", int64(s))
	}
	return string([]StateName{StateNameNormal, StateNameElevated, StateNameHighRisk}[s])
}

// decode reads a record. A time that cannot be read is the zero time: it does not take the rest of the record with it.
func decode(text []byte, record interface{}) error {
	err := json.Unmarshal(text, record)
	if err == nil {
		return nil
	}
	var whole interface{}
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	if numbers.Decode(&whole) != nil {
		return err
	}
	readable, _ := json.Marshal(withoutBadTimes(whole))
	if json.Unmarshal(readable, record) != nil {
		return err
	}
	return nil
}

func withoutBadTimes(value interface{}) interface{} {
	switch given := value.(type) {
	case []interface{}:
		for at, one := range given {
			given[at] = withoutBadTimes(one)
		}
	case map[string]interface{}:
		for name, one := range given {
			given[name] = withoutBadTimes(one)
			if _, err := time.Parse(time.RFC3339, fmt.Sprint(one)); timeFields[name] && err != nil {
				delete(given, name)
			}
		}
	}
	return value
}
