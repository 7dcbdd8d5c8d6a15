// Reads a file of alert rules as Prometheus does, and a JSON list of further expressions; prints what is wrong with them.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	_, problems := rulefmt.ParseFile(os.Args[1], false)
	var expressions []string
	if err := json.Unmarshal([]byte(os.Args[2]), &expressions); err != nil {
		problems = append(problems, err)
	}
	for _, expression := range expressions {
		if _, err := parser.ParseExpr(expression); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", expression, err))
		}
	}
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}
